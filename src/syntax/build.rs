//! The build script: turns `grammar.lalrpop` into a parser.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=grammar.lalrpop");
    lalrpop::Configuration::new()
        .set_in_dir(".")
        .set_out_dir(std::env::var("OUT_DIR")?)
        .process()
}
