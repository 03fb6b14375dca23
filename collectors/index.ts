type FileCollector = typeof import('./otlp-file.ts').otlpFileCollector;
type MemoryCollector = typeof import('./memory.ts').memoryCollector;
type OtlpReceiver = typeof import('./otlp-receiver.ts').otlpReceiver;

/** Where traces come from, by the name that `--trace-source` takes. Each loads when it is asked for, and alone. */
export const collectors: {
  readonly file: () => Promise<FileCollector>;
  readonly memory: () => Promise<MemoryCollector>;
  readonly otlp: () => Promise<OtlpReceiver>;
} = {
  file: async () => (await import('./otlp-file.ts')).otlpFileCollector,
  memory: async () => (await import('./memory.ts')).memoryCollector,
  otlp: async () => (await import('./otlp-receiver.ts')).otlpReceiver,
};
