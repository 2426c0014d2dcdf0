//! The wire: recorded events keep their bytes, and events keep their caps.

mod caps;
mod words;

use std::{error::Error, fs, path::Path};

use protocol::SessionEvent;

/// Every recorded event reads, and is written again byte for byte.
#[test]
fn every_recorded_event_survives_the_wire() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/events");
    let mut events = 0;
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        for line in fs::read_to_string(&path)?.lines() {
            let event: SessionEvent = serde_json::from_str(line)
                .map_err(|error| format!("{}: {error}: {line}", path.display()))?;
            assert_eq!(serde_json::to_string(&event)?, line, "{}", path.display());
            events += 1;
        }
    }
    assert!(0 < events, "there are recorded events");
    Ok(())
}
