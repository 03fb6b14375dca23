/** The convention's word for why a model stopped. */
const words: Readonly<Record<string, string>> = {
  stop: 'stop',
  end_turn: 'stop',
  endturn: 'stop',
  stop_sequence: 'stop',
  stopsequence: 'stop',
  completed: 'stop',
  complete: 'stop',
  tool_calls: 'tool_calls',
  tool_call: 'tool_calls',
  tool_use: 'tool_calls',
  tooluse: 'tool_calls',
  function_call: 'tool_calls',
  length: 'length',
  max_tokens: 'length',
  maxtokens: 'length',
  max_output_tokens: 'length',
  content_filter: 'content_filter',
  contentfilter: 'content_filter',
  content_filtered: 'content_filter',
  safety: 'content_filter',
  refusal: 'content_filter',
  guardrail_intervened: 'content_filter',
  error: 'error',
  failed: 'error',
};

const known = new Map<string, string>();

/** Any spelling (`tool-calls`, `endTurn`, `FinishReason.STOP`) as the convention's word; an unknown one as it stands. */
export function finishWord(raw: string | undefined): string | null {
  if (raw === undefined || raw === '') return null;
  const before = known.get(raw);
  if (before !== undefined) return before;
  const bare = raw
    .slice(raw.lastIndexOf('.') + 1)
    .toLowerCase()
    .replace(/[- ]/g, '_');
  const word = words[bare] ?? bare;
  if (known.size < 1_000) known.set(raw, word);
  return word;
}
