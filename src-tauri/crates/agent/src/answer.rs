//! One answer of the model: its stream, shown as it comes and put aside against a kill.

use protocol::{Limits, MessageId, Reasoning, TurnFailure, TurnId, Usage};
use provider::{ModelEvent, ModelStream, Provider, ProviderError, RawCall, StopReason};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::emit::Emitter;

/// What the model answered, as far as it came.
#[derive(Debug)]
pub(crate) struct ModelAnswer {
    pub(crate) text: String,
    pub(crate) reasoning: Option<Reasoning>,
    /// Whole calls only, and only of an answer that came to its end.
    pub(crate) calls: Vec<RawCall>,
    pub(crate) usage: Usage,
    pub(crate) ending: AnswerEnding,
}

/// How an answer ended.
#[derive(Debug)]
pub(crate) enum AnswerEnding {
    Whole(StopReason),
    /// The user stopped it.
    Stopped,
    /// The provider failed; what came before is kept (PV-6).
    Failed(TurnFailure),
}

/// Text that came and was not shown yet.
#[derive(Default)]
struct Frame {
    text: String,
    reasoning: String,
}

/// Sends a request and follows its answer. A stop drops the stream, and with it the socket.
pub(crate) async fn ask(
    provider: &Provider,
    body: Vec<u8>,
    (turn, message): (TurnId, &MessageId),
    emitter: &mut Emitter,
    limits: &Limits,
    stop: &CancellationToken,
) -> ModelAnswer {
    let mut answer = ModelAnswer {
        text: String::new(),
        reasoning: None,
        calls: Vec::new(),
        usage: Usage::default(),
        ending: AnswerEnding::Stopped,
    };
    let stream = tokio::select! {
        () = stop.cancelled() => return answer,
        stream = provider.send(body) => stream,
    };
    let mut stream = match stream {
        Ok(stream) => stream,
        Err(error) => {
            answer.ending = failed(&error);
            return answer;
        }
    };
    let mut frame = Frame::default();
    let mut frame_due = Instant::now();
    let mut scratch_due = Instant::now() + limits.scratch_time;
    let mut put_aside = true;
    answer.ending = loop {
        let waits = !(frame.text.is_empty() && frame.reasoning.is_empty());
        tokio::select! {
            biased;
            () = stop.cancelled() => break AnswerEnding::Stopped,
            () = sleep_until(frame_due), if waits => {
                show(emitter, turn, message, &mut frame);
                frame_due = Instant::now() + limits.frame_time;
                put_aside = false;
            }
            () = sleep_until(scratch_due), if !put_aside => {
                emitter.scratch(turn, message).await;
                scratch_due = Instant::now() + limits.scratch_time;
                put_aside = true;
            }
            event = next(&mut stream) => match event {
                Ok(ModelEvent::Text(text)) => {
                    frame.text.push_str(&text);
                    answer.text.push_str(&text);
                }
                Ok(ModelEvent::Reasoning { field, text }) => {
                    frame.reasoning.push_str(&text);
                    let empty = || Reasoning { field, text: String::new() };
                    answer.reasoning.get_or_insert_with(empty).text.push_str(&text);
                }
                Ok(ModelEvent::ToolCall(call)) => answer.calls.push(call),
                Ok(ModelEvent::Usage(usage)) => answer.usage = usage,
                Ok(ModelEvent::Done(reason)) => break AnswerEnding::Whole(reason),
                Err(ending) => break ending,
            },
        }
    };
    show(emitter, turn, message, &mut frame);
    if !matches!(answer.ending, AnswerEnding::Whole(_)) {
        answer.calls.clear();
    }
    answer
}

/// Returns the next event of a stream; its end without one is an ending too.
async fn next(stream: &mut ModelStream) -> Result<ModelEvent, AnswerEnding> {
    match stream.next().await {
        Some(Ok(event)) => Ok(event),
        Some(Err(error)) => Err(failed(&error)),
        None => Err(failed(&ProviderError::Broken { source: None })),
    }
}

fn failed(error: &ProviderError) -> AnswerEnding {
    AnswerEnding::Failed(error.failure())
}

fn show(emitter: &mut Emitter, turn: TurnId, message: &MessageId, frame: &mut Frame) {
    if !(frame.text.is_empty() && frame.reasoning.is_empty()) {
        emitter.delta(turn, message, &frame.text, &frame.reasoning);
        *frame = Frame::default();
    }
}
