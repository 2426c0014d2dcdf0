//! All sessions together: the index, and the look through them.

use std::fs;

use protocol::SearchPlace;
use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::rig::{host, new_session, scripted, turn};

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|it| it == text.as_bytes())
}

/// JR-4: a turn that ended is taken into the index without anybody asking for it, and when its
/// session is closed it is there.
#[tokio::test]
async fn a_turn_that_ended_is_in_the_index_before_anybody_asks() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let write = Reply::call("write_file", json!({"path": "needle.txt", "content": "x\n"}));
    let server = scripted(Script::new([write, Reply::text("done")])).await;
    let host = host(home.path(), &server);
    let mut opened = new_session(&host, &project).await;
    turn(&host, &opened.session, &mut opened.follow, "go").await;
    host.shutdown().await;
    let index = fs::read(home.path().join("index.sqlite")).expect("it was made");
    assert!(holds(&index, "needle.txt"));
    let page = host.search("needle.txt".to_owned()).await.expect("an answer");
    assert_eq!((page.total, page.hits[0].place), (1, SearchPlace::Path));
}

/// SM-10: what the index holds is nowhere needed: without it, and where there can be none, the list
/// and the search are the same.
#[tokio::test]
async fn without_an_index_everything_is_as_it_was() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let server = scripted(Script::new([Reply::text("needle"), Reply::text("other")])).await;
    let host = host(home.path(), &server);
    for prompt in ["one", "two"] {
        let mut opened = new_session(&host, &project).await;
        turn(&host, &opened.session, &mut opened.follow, prompt).await;
    }
    host.shutdown().await;
    let listed = host.list_sessions().await.expect("a list");
    let found = host.search("needle".to_owned()).await.expect("an answer");
    assert_eq!((listed.len(), found.total), (2, 1));
    let index = home.path().join("index.sqlite");
    fs::remove_file(&index).expect("it is there");
    assert_eq!(host.search("needle".to_owned()).await.expect("an answer"), found);
    assert_eq!(host.reindex().await.expect("it is made anew"), 2);
    // Something else of that name: nothing can be written there.
    fs::remove_file(&index).expect("it is there");
    fs::create_dir(&index).expect("a folder");
    assert_eq!(host.list_sessions().await.expect("a list"), listed);
    assert_eq!(host.search("needle".to_owned()).await.expect("an answer"), found);
}
