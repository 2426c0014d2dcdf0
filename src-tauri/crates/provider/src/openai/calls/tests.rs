use proptest::{collection::vec, option, prelude::*, sample::select};
use serde_json::json;

use super::*;

fn any_arguments() -> impl Strategy<Value = Value> {
    let pieces = ["", "{", "}", "{}", "{\"p\":", "1", "\"", "\\", "{\"p\":1}", " ", "null", "[1]"];
    prop_oneof![
        5 => select(pieces.to_vec()).prop_map(|it| json!(it)),
        1 => select(vec![json!(null), json!({}), json!({"p": 1}), json!([1]), json!(7)]),
        1 => "[{}\"\\\\:,a1 ]{0,8}".prop_map(Value::from),
    ]
}

fn any_piece() -> impl Strategy<Value = CallPiece> {
    let function = (option::of(select(vec!["", "x", "xy", "z"])), option::of(any_arguments()));
    let function = function
        .prop_map(|(name, arguments)| FunctionPiece { name: name.map(str::to_owned), arguments });
    let ids = option::of(select(vec!["", "a", "b"]));
    (option::of(-1..3_i64), ids, option::of(function)).prop_map(|(index, id, function)| CallPiece {
        index,
        id: id.map(str::to_owned),
        function,
        extra_content: None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// PV-6: whatever pieces come, a call that may run is a JSON object, and none runs twice under
    /// one id.
    #[test]
    fn any_pieces_make_calls_that_are_objects_or_do_not_run(
        pieces in vec(any_piece(), 0..12),
        cut in any::<bool>(),
    ) {
        let count = pieces.len();
        let mut calls = Calls::default();
        let counted = pieces.into_iter().map(|it| calls.add(it)).sum::<usize>();
        let finished = calls.finish(cut);
        prop_assert!(finished.len() <= count);
        let mut seen = BTreeSet::new();
        let mut bytes = 0;
        for call in &finished {
            let text = match &call.arguments {
                Ok(text) => text,
                Err(broken) => &broken.text,
            };
            bytes += text.len();
            if let Ok(arguments) = &call.arguments {
                let object = serde_json::from_str::<Map<String, Value>>(arguments);
                prop_assert!(object.is_ok(), "{}", arguments);
                let is_new = seen.insert((&call.wire_id, &call.name, arguments));
                prop_assert!(call.wire_id.is_empty() || is_new, "{:?}", call);
            }
        }
        prop_assert!(bytes <= counted);
    }
}
