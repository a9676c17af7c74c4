//! Generates the client from the service's proto files; no protoc is needed.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let proto = "../../../proto";
    println!("cargo::rerun-if-changed={proto}");
    let files = protox::compile(["doudizhu/v1/decision_service.proto"], [proto])?;
    tonic_prost_build::configure().build_server(false).compile_fds(files)?;
    Ok(())
}
