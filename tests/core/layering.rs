//! The house's one direction of flow: what each room may not know.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            sources(&entry.unwrap().path(), found);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        found.push(path.to_owned());
    }
}

/// The sources of the module `name`: `src/name.rs` and everything in `src/name/`.
fn module(name: &str) -> Vec<PathBuf> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    sources(&src.join(name).with_extension("rs"), &mut found);
    if src.join(name).is_dir() {
        sources(&src.join(name), &mut found);
    }
    assert!(!found.is_empty(), "module {name} has sources");
    found
}

/// What neither the game core nor a strategy may name: I/O, clocks, threads, the network and its formats.
const OUTSIDE: [&str; 17] = [
    "tokio",
    "tonic",
    "prost",
    "hyper",
    "tower",
    "metrics::",
    "tracing",
    "serde",
    "clap",
    "std::io",
    "std::fs",
    "std::net",
    "std::env",
    "std::time",
    "std::thread",
    "println!",
    "eprintln!",
];

#[test]
fn each_room_knows_only_the_rooms_before_it() {
    let rooms: [(&str, &[&str]); 4] = [
        ("cards", &["crate::groups", "crate::game", "crate::strategy", "crate::arena", "crate::service"]),
        ("groups", &["crate::game", "crate::strategy", "crate::arena", "crate::service"]),
        ("game", &["crate::strategy", "crate::arena", "crate::service"]),
        ("strategy", &["crate::service", "crate::arena"]),
    ];
    for (room, later) in rooms {
        for file in module(room) {
            let text = fs::read_to_string(&file).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for (number, line) in code.enumerate() {
                for name in OUTSIDE.iter().chain(later) {
                    assert!(
                        !line.contains(name),
                        "{} names {name} (code line {}): {line}",
                        file.display(),
                        number + 1
                    );
                }
            }
        }
    }
}
