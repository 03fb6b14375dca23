import { holdsSecretNumber, isSensitiveKey } from '../trace/privacy/sensitive-keys.ts';
import { type RedactedText, redactText } from './redact-text.ts';
import type { SecretValues } from './secret-values.ts';
import { VerdictCache } from './verdict-cache.ts';

/** What the name of a JSON field says, and the name itself without credentials. */
export interface FieldName {
  readonly safe: RedactedText;
  /** It holds no credential itself. */
  readonly isPlain: boolean;
  readonly isSensitive: boolean;
  /** Even a number under it is a secret. */
  readonly holdsSecretNumber: boolean;
}

/** What was decided of the names of fields: few names stand in very many records. */
export class FieldNames {
  readonly #verdicts: VerdictCache<FieldName>;

  constructor(secrets: SecretValues) {
    this.#verdicts = new VerdictCache((name) => {
      const safe = redactText(name, secrets);
      return {
        safe,
        isPlain: safe.text === name && safe.count === 0,
        isSensitive: isSensitiveKey(name),
        holdsSecretNumber: holdsSecretNumber(name),
      };
    });
  }

  get(name: string): FieldName {
    return this.#verdicts.get(name);
  }
}
