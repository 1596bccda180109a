//! Inside a crate, files import each other in no large circle.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};

use base::components::strong_components;
use syn::visit::{Visit, visit_item_mod, visit_path};
use syn::{Item, ItemMod, ItemUse, UseTree, Visibility};

/// The largest number of files that may import each other: they can only be understood together.
const LARGEST_CIRCLE: usize = 4;

/// The path of a module, the name of its crate first.
type Module = Vec<String>;

/// The uses of one file.
struct File {
    /// The path below `src`.
    path: PathBuf,
    /// The names that it uses, beginning with their crates.
    uses: Vec<Module>,
    /// The original names behind those that this module hands on from others.
    handed_on: BTreeMap<String, Module>,
}

/// Collects the uses of the file of `module`.
struct Uses<'a> {
    module: &'a Module,
    uses: Vec<Module>,
    handed_on: BTreeMap<String, Module>,
}

impl Uses<'_> {
    /// `path` from the name of the crate on; `None` if it leads to nothing in the crate.
    fn absolute(&self, path: &[String]) -> Option<Module> {
        let climbs = path.iter().take_while(|name| *name == "super").count();
        Some(match path.first()?.as_str() {
            "crate" => [&self.module[..1], &path[1..]].concat(),
            "self" => [self.module, &path[1..]].concat(),
            "super" => {
                let above = self.module.len().checked_sub(climbs)?;
                [&self.module[..above], &path[climbs..]].concat()
            }
            // The path may name a module below this one; otherwise it leads nowhere.
            _ => [self.module, path].concat(),
        })
    }

    fn tree(&mut self, tree: &UseTree, before: &mut Vec<String>, is_handed_on: bool) {
        let (name, shown) = match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.tree(&path.tree, before, is_handed_on);
                before.pop();
                return;
            }
            UseTree::Group(group) => {
                for item in &group.items {
                    self.tree(item, before, is_handed_on);
                }
                return;
            }
            UseTree::Glob(_) => (None, None),
            UseTree::Name(name) => (Some(name.ident.to_string()), Some(name.ident.to_string())),
            UseTree::Rename(name) => (Some(name.ident.to_string()), Some(name.rename.to_string())),
        };
        let name = name.filter(|name| name != "self");
        let path: Vec<String> = before.iter().cloned().chain(name).collect();
        let Some(path) = self.absolute(&path) else {
            return;
        };
        match shown.filter(|_| is_handed_on) {
            Some(shown) => drop(self.handed_on.insert(shown, path)),
            None => self.uses.push(path),
        }
    }
}

impl<'ast> Visit<'ast> for Uses<'_> {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let is_handed_on = !matches!(item.vis, Visibility::Inherited);
        self.tree(&item.tree, &mut Vec::new(), is_handed_on);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = path.segments.iter().map(|name| name.ident.to_string());
        let names: Vec<String> = names.collect();
        if names.len() > 1 {
            self.uses.extend(self.absolute(&names));
        }
        visit_path(self, path);
    }

    fn visit_visibility(&mut self, _: &'ast Visibility) {
        // A visibility names no module that the file uses.
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        // Tests may use what they like.
        if item.ident != "tests" {
            visit_item_mod(self, item);
        }
    }
}

/// All files below `folder`, tests left out, by module.
fn files(folder: &Path, module: &Module, found: &mut BTreeMap<Module, File>) {
    for entry in fs::read_dir(folder).expect("a folder of the sources") {
        let path = entry.expect("a file of the sources").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let inside = [&module[..], &[name.to_string()]].concat();
        if name == "tests" {
            continue;
        }
        if path.is_dir() {
            files(&path, &inside, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let own = if ["lib", "mod"].contains(&&*name) {
                module
            } else {
                &inside
            };
            let text = fs::read_to_string(&path).expect("a source file is readable");
            let file = syn::parse_file(&text).expect("it is Rust");
            let mut uses = Uses {
                module: own,
                uses: Vec::new(),
                handed_on: BTreeMap::new(),
            };
            let items = file.items.iter().filter(|item| !is_for_tests(item));
            items.for_each(|item| uses.visit_item(item));
            let Uses {
                uses, handed_on, ..
            } = uses;
            let file = File {
                path,
                uses,
                handed_on,
            };
            found.insert(own.clone(), file);
        }
    }
}

fn is_for_tests(item: &Item) -> bool {
    matches!(item, Item::Mod(module) if module.ident == "tests")
}

/// The module of the file that originally defines `name`.
fn file_of(name: &[String], files: &BTreeMap<Module, File>) -> Option<Module> {
    let mut name = name.to_vec();
    // No name is handed on more than eight times.
    for _ in 0..8 {
        let mut lengths = (1..=name.len()).rev();
        let length = lengths.find(|&length| files.contains_key(&name[..length]))?;
        let (module, inside) = name.split_at(length);
        let real = inside
            .first()
            .and_then(|first| files[module].handed_on.get(first));
        match real {
            Some(real) => name = [&real[..], &inside[1..]].concat(),
            None => return Some(module.to_vec()),
        }
    }
    None
}

#[test]
fn files_of_a_crate_import_each_other_in_no_large_circle() {
    let mut all = BTreeMap::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    files(&root, &Vec::new(), &mut all);
    let modules: Vec<&Module> = all.keys().collect();
    let number = |module: &Module| modules.binary_search(&module).ok();
    let edges: Vec<Vec<u32>> = all
        .iter()
        .map(|(module, file)| {
            let used = file.uses.iter().filter_map(|name| file_of(name, &all));
            let in_crate = used.filter(|other| other != module && other.first() == module.first());
            in_crate
                .filter_map(|other| number(&other).map(|number| number as u32))
                .collect()
        })
        .collect();
    assert!(
        edges.iter().map(Vec::len).sum::<usize>() > 1000,
        "imports are found"
    );
    let mut circles: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let Ok(numbers) = strong_components(&edges[..], &mut |_| Ok::<_, Infallible>(()));
    for (module, circle) in modules.iter().zip(numbers) {
        let path = all[*module].path.strip_prefix(&root);
        let path = path.expect("it is below the root").display().to_string();
        circles.entry(circle).or_default().push(path);
    }
    let large: Vec<String> = circles
        .values()
        .filter(|circle| circle.len() > LARGEST_CIRCLE)
        .map(|circle| circle.join(", "))
        .collect();
    assert!(
        large.is_empty(),
        "at most {LARGEST_CIRCLE} files import each other in a circle:\n{}",
        large.join("\n")
    );
}
