//! Compiles `proto/` with protox, so that no `protoc` is needed, into the messages and the service, and into the
//! descriptor set from which reflection and the JSON mapping are served.

use std::error::Error;
use std::path::PathBuf;

use protox::prost::Message as _;

fn main() -> Result<(), Box<dyn Error>> {
    // tonic-prost-build prints none; without it every change in the package would run this script again.
    println!("cargo::rerun-if-changed=proto");
    let descriptors = protox::compile(["doudizhu/v1/decision_service.proto"], ["proto"])?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("descriptors.bin"), descriptors.encode_to_vec())?;
    // Messages know their full names, by which the JSON mapping finds their descriptors.
    let mut config = prost_build::Config::new();
    config.enable_type_names();
    tonic_prost_build::configure().compile_fds_with_config(descriptors, config)?;
    Ok(())
}
