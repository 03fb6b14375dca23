type FileCollector = typeof import('./otlp-file.ts').otlpFileCollector;

/** Where traces come from, by the name that `--trace-source` takes. Each loads when it is asked for, and alone. */
export const collectors: {
  readonly file: () => Promise<FileCollector>;
} = {
  file: async () => (await import('./otlp-file.ts')).otlpFileCollector,
};
