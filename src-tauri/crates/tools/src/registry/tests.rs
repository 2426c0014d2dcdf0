use expect_test::expect;

use super::*;

fn registry() -> Registry {
    Registry::new(&Limits::default())
}

/// TC-3, as far as the tools are there.
#[test]
fn the_boot_surface_is_eight_tools_by_name() {
    let names: Vec<String> = registry().boot_surface().into_iter().map(|it| it.name).collect();
    assert_eq!(
        names,
        [
            "bash",
            "bash_output",
            "edit_file",
            "kill_shell",
            "read_file",
            "use_capability",
            "wait",
            "write_file",
        ],
    );
}

/// CA-4, CA-6: whoever changes a byte of this changes the start of every request.
#[test]
fn the_boot_surface_is_these_bytes() {
    let lines = registry().boot_surface().into_iter();
    let lines = lines.map(|it| format!("{}: {}\n{}\n", it.name, it.description, it.parameters));
    let told: String = lines.collect();
    assert!(told.len() < 3_300, "{} bytes", told.len());
    expect![[r#"
        bash: Runs a command in a fresh shell, at most 120 s, with no input. Read and change files with the file tools instead: only their changes are known exactly.
        {"additionalProperties":false,"properties":{"command":{"type":"string"},"cwd":{"description":"The folder to run in, instead of the workspace.","type":"string"},"run_in_background":{"description":"Return at once; the command goes on as a job.","type":"boolean"},"seconds":{"description":"How long it may take, if less than that.","type":"integer"}},"required":["command"],"type":"object"}
        bash_output: Shows what a job has printed since you last looked, and whether it still runs.
        {"additionalProperties":false,"properties":{"job":{"type":"string"}},"required":["job"],"type":"object"}
        edit_file: Replaces a passage of a text file that you have read.
        {"additionalProperties":false,"properties":{"new_string":{"type":"string"},"old_string":{"description":"The passage, white space exact, without line numbers. Must stand in the file once.","type":"string"},"path":{"type":"string"},"replace_all":{"description":"Replace it wherever it stands.","type":"boolean"},"source_token":{"description":"Only to cite a token that read_file printed.","type":"string"}},"required":["path","old_string","new_string"],"type":"object"}
        kill_shell: Ends a job, and all that it started.
        {"additionalProperties":false,"properties":{"job":{"type":"string"}},"required":["job"],"type":"object"}
        read_file: Reads a text file; each line comes after its number and a tab.
        {"additionalProperties":false,"properties":{"cursor":{"description":"As a page of a full read printed it.","type":"string"},"intent":{"description":"\"full\" if you need the whole file: then go on by cursor.","enum":["inspect","range","full"],"type":"string"},"limit":{"description":"Most lines to read, instead of 2000.","type":"integer"},"offset":{"description":"Lines to skip.","type":"integer"},"path":{"description":"Relative to the workspace, or absolute.","type":"string"}},"required":["path"],"type":"object"}
        use_capability: Calls a further tool: glob {pattern, path?} finds files by name, grep {pattern, context?, glob?, ignore_case?, path?} searches in files, ls {path?} lists a folder, multi_edit {path, edits: [{old_string, new_string, replace_all?}], source_token?} edits one file in several places.
        {"additionalProperties":false,"properties":{"action":{"enum":["call","inspect","list"],"type":"string"},"arguments":{"description":"The arguments of that tool.","type":"object"},"name":{"type":"string"}},"required":["action"],"type":"object"}
        wait: Waits until a job has ended, or the first of all, and shows what it printed.
        {"additionalProperties":false,"properties":{"job":{"type":"string"},"seconds":{"description":"How long, at most; 120 if left out, which is the most.","type":"integer"}},"type":"object"}
        write_file: Creates a text file and the folders above it, or replaces the whole of a file that you have read.
        {"additionalProperties":false,"properties":{"content":{"description":"All of the new text.","type":"string"},"path":{"type":"string"},"source_token":{"description":"Only to cite a token that read_file printed.","type":"string"}},"required":["path","content"],"type":"object"}
    "#]].assert_eq(&told);
}

/// CA-4.
#[test]
fn keys_are_in_order_and_nothing_useless_is_sent() {
    fn walk(value: &Value) {
        if let Value::Object(object) = value {
            assert!(object.keys().is_sorted(), "{value}");
            for noise in ["$schema", "title", "format", "default"] {
                assert!(!object.contains_key(noise), "{value}");
            }
            object.values().for_each(walk);
        }
    }
    let (boot, capabilities) = builtin::all();
    for it in boot.iter().chain(&capabilities) {
        walk(&it.parameters);
        assert_eq!(it.parameters["additionalProperties"], false, "{}", it.name);
        assert!(!it.description.is_empty() && !it.description.contains('\n'), "{}", it.name);
    }
}

/// TC-4: what the description says of a capability is what its schema says.
#[test]
fn use_capability_names_every_capability_with_its_arguments() {
    let (boot, capabilities) = builtin::all();
    let door = boot.iter().find(|it| it.name == "use_capability").expect("it is on the surface");
    for it in &capabilities {
        let form = arguments::form(&it.parameters).replace(": string", "");
        let form = form.replace(": integer", "").replace(": boolean", "").replace('"', "");
        let named = format!("{} {form}", it.name);
        assert!(door.description.contains(&named), "{named} is not in: {}", door.description);
    }
}

/// Table 8.2.
#[test]
fn the_bounds_that_the_descriptions_name_are_in_force() {
    let (limits, surface) = (Limits::default(), registry().boot_surface());
    let named = |tool: &str, bound: String| {
        let it = surface.iter().find(|it| it.name == tool).expect("it is on the surface");
        let told = format!("{} {}", it.description, it.parameters);
        assert!(told.contains(&bound), "{bound} is not in {told}");
    };
    named("bash", format!("at most {} s", limits.command_time.as_secs()));
    named("wait", format!("{} if left out", limits.wait_time.as_secs()));
    named("read_file", format!("instead of {}", limits.page_lines));
}

/// TC-1, TC-2. `UPDATE_CONTRACT=1 cargo test -p tools` writes the file instead.
#[test]
fn the_contract_document_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/tool-contract.md");
    let fresh = Registry::contract();
    if std::env::var_os("UPDATE_CONTRACT").is_some() {
        std::fs::write(path, &fresh).expect("docs/ can be written");
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
    assert!(kept == fresh, "docs/tool-contract.md is stale: UPDATE_CONTRACT=1 cargo test -p tools");
}

#[test]
fn a_label_names_the_tool_and_what_it_is_about_even_if_the_call_is_wrong() {
    let label = |name, arguments| {
        let Label { tool, title } = registry().label(name, arguments);
        format!("{tool} | {title}")
    };
    assert_eq!(label("edit_file", r#"{"path":"a.rs"}"#), "edit_file | a.rs");
    assert_eq!(label("bash", r#"{"command":"\n  make all\nmake x"}"#), "bash | make all");
    assert_eq!(label("bash", "{"), "bash | ");
    let call = r#"{"action":"call","name":"grep","arguments":{"pattern":"fn x"}}"#;
    assert_eq!(label("use_capability", call), "grep | fn x");
    assert_eq!(label("use_capability", r#"{"action":"list"}"#), "use_capability | ");
    let long = label("bash", &format!(r#"{{"command":"{}"}}"#, "字".repeat(400)));
    assert!(long.len() <= 210 && long.ends_with('…'), "{long}");
}
