/** Types of message parts that hold a model's reasoning. */
const reasoningTypes: ReadonlySet<string> = new Set(
  'reasoning thinking redacted_thinking reasoning_text reasoning_content reasoningContent redactedContent thought reasoning-delta thinking_delta reasoning_summary summary_text'.split(
    ' ',
  ),
);

const reasoningKeys: ReadonlySet<string> = new Set(
  'reasoning reasoning_content reasoning_details reasoning_text reasoningContent reasoningText reasoningDetails reasoning_summary thinking redacted_thinking redactedContent redacted_content thought thoughts thought_signature thoughtSignature encrypted_content encryptedContent reasoning_signature reasoningSignature thinking_signature'.split(
    ' ',
  ),
);

/** Keys under which a message carries what a caller or a tool said: there a field may well be named `reasoning`. */
const dataKeys: ReadonlySet<string> = new Set(
  'arguments args input parameters result response output structuredContent function_call'.split(' '),
);

/** A part of a message that is reasoning: by its type, or a Gemini part with `thought: true`. */
export function isReasoningPart(part: Readonly<Record<string, unknown>>): boolean {
  const { type } = part;
  return (typeof type === 'string' && reasoningTypes.has(type)) || part['thought'] === true;
}

/**
 * True for a field of a message that holds reasoning. Numbers and booleans are counts and switches, and stay.
 *
 * @example
 * isReasoningField('reasoning_content', 'First I …'); // true
 * isReasoningField('reasoning_tokens', 7); // false
 */
export function isReasoningField(key: string, value: unknown): boolean {
  return reasoningKeys.has(key) && typeof value !== 'number' && typeof value !== 'boolean' && value !== null;
}

/** Of these, what a caller gave a tool: a provider names nothing of its own so. */
const argumentKeys: ReadonlySet<string> = new Set('arguments args parameters function_call'.split(' '));

/** Of these, what was answered. */
const answerKeys: ReadonlySet<string> = new Set('result response output'.split(' '));

/**
 * True for a field whose content is data of a tool or caller, not of the model's message. What a provider was sent or
 * gave is often named so too (`input`, `output`, `response`): where it holds messages it is none.
 */
export function isDataField(key: string, value: unknown): boolean {
  return dataKeys.has(key) && !holdsMessages(value, key, !argumentKeys.has(key), 0);
}

/** Where providers keep messages: what says something there is one, also without a role, as in the parts of a stream. */
const messageHolders = ['choices', 'candidates', 'generations', 'messages', 'message', 'delta'];
const holders = [...messageHolders, 'output', 'input', 'content', 'parts'];
const spoken = ['content', 'parts', 'text', 'tool_calls'];
const deepestHolder = 6;

function holdsMessages(value: unknown, key: string, roleless: boolean, depth: number): boolean {
  if (depth > deepestHolder || typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => holdsMessages(item, key, roleless, depth + 1));
  const record = value as Readonly<Record<string, unknown>>;
  const { role, type } = record;
  if (typeof role === 'string' || type === 'message' || isReasoningPart(record)) return true;
  if (roleless && isMessageWithoutRole(record, key)) return true;
  return holders.some(
    (holder) => Object.hasOwn(record, holder) && holdsMessages(record[holder], holder, roleless, depth + 1),
  );
}

/** It says something where messages are kept, or in an answer beside its reasoning. */
function isMessageWithoutRole(record: Readonly<Record<string, unknown>>, key: string): boolean {
  if (!spoken.some((name) => Object.hasOwn(record, name))) return false;
  if (messageHolders.includes(key)) return true;
  return answerKeys.has(key) && Object.keys(record).some((name) => isReasoningField(name, record[name]));
}

/** True for a type of part that holds reasoning, as flattened dialects write it in a key of its own. */
export function isReasoningType(type: unknown): boolean {
  return typeof type === 'string' && reasoningTypes.has(type);
}

const tagged = /<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/gi;

/** Without `<think>…</think>`; an open tag runs to the end of the text. */
export function withoutThinkTags(text: string): string {
  return text.includes('<') ? text.replace(tagged, '') : text;
}

/** The representation of a Python object in which reasoning stands: it cannot be cut out, only withheld. */
const printed =
  /\b(?:Reasoning|Thinking)(?:Content|Block|Part|Item|Message)?\(|\b(?:reasoning|thinking|thought)\w{0,20}=['"(]|['"](?:reasoning|thinking|thought)\w{0,20}['"]\s?:/;

export function printsReasoning(text: string): boolean {
  return printed.test(text);
}

/**
 * One of these stands in each type, key and printed name above, and in each tag but `<think>`. All of about one length:
 * the shortest decides how many characters the engine may leap.
 */
const stems = /reasonin|thinking|thought|redacted|encrypte|summary_/i;
const shortTag = /<think/i;

/**
 * True only for a text in which nothing above can be found, as it stands or in the JSON that it may be: one quick look at
 * the whole of it. A character that is spelled by its number may be any.
 */
export function isFreeOfReasoning(text: string): boolean {
  return !stems.test(text) && !text.includes('\\u') && !(text.includes('<') && shortTag.test(text));
}
