type FileCollector = typeof import('./otlp-file.ts').otlpFileCollector;
type Jaeger = typeof import('./jaeger.ts').jaegerCollector;
type MemoryCollector = typeof import('./memory.ts').memoryCollector;
type OtlpReceiver = typeof import('./otlp-receiver.ts').otlpReceiverCollector;
type Tempo = typeof import('./tempo.ts').tempoCollector;

/** Where traces come from, by the name that `--trace-source` takes. Each loads when it is asked for, and alone. */
export const collectors: {
  readonly file: () => Promise<FileCollector>;
  readonly jaeger: () => Promise<Jaeger>;
  readonly memory: () => Promise<MemoryCollector>;
  readonly otlp: () => Promise<OtlpReceiver>;
  readonly tempo: () => Promise<Tempo>;
} = {
  file: async () => (await import('./otlp-file.ts')).otlpFileCollector,
  jaeger: async () => (await import('./jaeger.ts')).jaegerCollector,
  memory: async () => (await import('./memory.ts')).memoryCollector,
  otlp: async () => (await import('./otlp-receiver.ts')).otlpReceiverCollector,
  tempo: async () => (await import('./tempo.ts')).tempoCollector,
};
