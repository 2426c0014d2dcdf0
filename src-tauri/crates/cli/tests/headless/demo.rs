//! The demo: a first turn with nothing set up.

use testkit::{Evident, Home, Project};

use crate::rig::BINARY;

/// README, quick start; twice, since the file is there the second time.
#[test]
fn the_demo_runs_without_a_key_again_and_again() {
    let (home, project) = (Home::new(), Project::new([]));
    for result in ["1 file changed, +2 -0", "no net changes"] {
        let evident = Evident::new(BINARY, &home).within(project.path());
        let ran = evident.run(&["run", "--provider", "demo", "show me"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let text = ran.lines.join("\n");
        assert!(text.contains(result), "{text}");
        let file = project.read("evident-demo.txt");
        assert_eq!(file, "Hello from Evident.\nThis line was edited, and the host saw it.\n");
    }
}
