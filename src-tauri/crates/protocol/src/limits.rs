//! Every number of the specification that bounds something, in one value.

use std::time::Duration;

/// The bounds. Defaults are the specification's; no setting reaches them, only tests and the
/// host's options do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Provider requests in one turn (AN-15).
    pub rounds_per_turn: u32,
    /// Tool calls of one answer that are carried out (AN-15).
    pub calls_per_batch: u32,
    /// A prompt's size (AN-15).
    pub prompt_bytes: u32,
    /// A command's output that is kept (AN-15).
    pub kept_output_bytes: u64,
    /// A command's output that the model is shown: its start and its end.
    pub shown_output_bytes: u32,
    /// Matches of one search (AN-15).
    pub search_matches: u32,
    /// The start of a question to the index of the sessions that counts.
    pub search_bytes: u32,
    /// Sessions that one search answers with; more are counted.
    pub search_sessions: u32,
    /// Texts that are looked through for words too short for the index, the newest.
    pub search_texts: u32,
    /// Entries of one listing (AN-15).
    pub listing_entries: u32,
    /// Lines of one page of `read_file`, where the call names no limit (RE-1).
    pub page_lines: u32,
    /// Pages of one read of a whole file (RC-9).
    pub read_pages: u32,
    /// The time that reading those may take, without waiting for the model (RC-10).
    pub read_time: Duration,
    /// Pages without a new line before another course is proposed, and after that (RC-14).
    pub read_stalls: u32,
    /// Ranges of lines that a status or a record names (RC-22).
    pub read_ranges: u32,
    /// Files that a record of unfinished reads names (RC-22).
    pub paused_reads: u32,
    /// Lines whose hashes are kept of what was read (CL-7).
    pub observed_lines: u32,
    /// Pages of a file that is replaced as a whole; of a longer one it is not told whether all of it
    /// was shown (WB-31).
    pub overwrite_pages: u32,
    /// Lines that a refused write brings with it (DEC-9).
    pub cure_lines: u32,
    /// The text of those lines (DEC-9).
    pub cure_bytes: u32,
    /// One formatted page of `read_file` (RE-7).
    pub page_bytes: u32,
    /// One line of a file (RE-7).
    pub line_bytes: u32,
    /// A file that is read or written whole (SI-6).
    pub whole_file_bytes: u64,
    /// A file that is fingerprinted for a page of it (SI-5).
    pub identity_bytes: u64,
    /// The part of a file that tells its encoding (RE-7).
    pub encoding_sample_bytes: u32,
    /// The head of a file that is looked at for NUL bytes (RE-7).
    pub binary_peek_bytes: u32,
    /// A file whose before-image is kept (CP-5).
    pub capture_file_bytes: u64,
    /// Contents and patches that one turn's result handles (TR-11).
    pub result_bytes: u64,
    /// A picture of a result that is shown, each of its two sides.
    pub picture_bytes: u64,
    /// Pixels of such a picture: drawn, each takes four bytes.
    pub picture_pixels: u64,
    /// Turns whose details are kept, the newest (TR-28).
    pub detail_turns: u32,
    /// What the details of one session may take, with the results themselves; the oldest go, and
    /// those of the newest turn never (TR-28).
    pub detail_bytes: u64,
    /// Time for one file's diff (TR-9).
    pub diff_time: Duration,
    /// Time for a foreground command (08, table 8.2).
    pub command_time: Duration,
    /// From the polite signal to the kill (AN-31).
    pub command_grace: Duration,
    /// How long a command's pipe must be quiet once its leader has ended (DEC-15).
    pub pipe_quiet: Duration,
    /// Background jobs that run at the same time (AN-15).
    pub background_jobs: u32,
    /// How often a job is looked at whose shell has ended and which prints nothing.
    pub job_look: Duration,
    /// How long one call may wait for a job.
    pub wait_time: Duration,
    /// How long a stream may be silent (09 row 39).
    pub stream_idle: Duration,
    /// How long connecting to a provider may take.
    pub connect_time: Duration,
    /// How long a trial of a provider may take, each of its requests.
    pub trial_time: Duration,
    /// One line of a stream. A longer one is a broken stream.
    pub stream_line_bytes: u32,
    /// Everything one answer may hold: text, reasoning and arguments.
    pub answer_bytes: u32,
    /// How much streamed text is joined to one frame.
    pub frame_time: Duration,
    /// How often streamed text is put aside against a kill (JR-2).
    pub scratch_time: Duration,
    /// Instruction files in the session context, together.
    pub instruction_bytes: u32,
    /// The end of a log that is shown (LG-4), and of a check's output that is read for its counts.
    pub log_bytes: u32,
    /// A makefile or package manifest that is read for what its targets run.
    pub build_file_bytes: u32,
    /// Bodies of records that are moved out into a blob (AN-1).
    pub inline_body_bytes: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rounds_per_turn: 500,
            calls_per_batch: 32,
            prompt_bytes: 1 << 20,
            kept_output_bytes: 64 << 20,
            shown_output_bytes: 16 << 10,
            search_matches: 200,
            search_bytes: 1 << 10,
            search_sessions: 50,
            search_texts: 100_000,
            listing_entries: 2_000,
            page_lines: 2_000,
            read_pages: 64,
            read_time: Duration::from_secs(120),
            read_stalls: 2,
            read_ranges: 64,
            paused_reads: 32,
            observed_lines: 500_000,
            overwrite_pages: 16,
            cure_lines: 400,
            cure_bytes: 32 << 10,
            page_bytes: 8 << 20,
            line_bytes: 1 << 20,
            whole_file_bytes: 64 << 20,
            identity_bytes: 256 << 10,
            encoding_sample_bytes: 256 << 10,
            binary_peek_bytes: 8 << 10,
            capture_file_bytes: 32 << 20,
            result_bytes: 2 << 20,
            picture_bytes: 8 << 20,
            picture_pixels: 32 << 20,
            detail_turns: 100,
            detail_bytes: 1 << 30,
            diff_time: Duration::from_millis(500),
            command_time: Duration::from_secs(120),
            command_grace: Duration::from_secs(4),
            pipe_quiet: Duration::from_secs(1),
            background_jobs: 20,
            job_look: Duration::from_millis(500),
            wait_time: Duration::from_secs(120),
            stream_idle: Duration::from_secs(300),
            connect_time: Duration::from_secs(30),
            trial_time: Duration::from_secs(10),
            stream_line_bytes: 8 << 20,
            answer_bytes: 32 << 20,
            frame_time: Duration::from_millis(30),
            scratch_time: Duration::from_millis(100),
            instruction_bytes: 64 << 10,
            log_bytes: 2 << 20,
            build_file_bytes: 1 << 20,
            inline_body_bytes: 16 << 10,
        }
    }
}

impl Limits {
    /// Returns the turns and the bytes whose details are kept. A bound of nothing is the default, and
    /// never means that nothing is kept (TR-28).
    pub fn kept_details(&self) -> (u32, u64) {
        let default = Self::default();
        let turns = if self.detail_turns == 0 { default.detail_turns } else { self.detail_turns };
        let bytes = if self.detail_bytes == 0 { default.detail_bytes } else { self.detail_bytes };
        (turns, bytes)
    }
}
