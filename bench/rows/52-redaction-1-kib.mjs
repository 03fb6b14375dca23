import { redactionRatio } from '../redaction.mjs';

export const what = 'redaction of 1 KiB of messages, against one pass of a regular expression over them';

export const measure = () => redactionRatio(1_024);
