export interface BenchOptions {
  /** How long each measurement takes. */
  seconds: number;
  /** For how many minutes to watch the memory instead; 0 to measure speed. */
  memory: number;
  /** How many subscribers the service's bench fills in. */
  rows: number;
  say: (line: string) => void;
}

/** What `npm run bench -- NAME` runs. */
export type Bench = (options: BenchOptions) => Promise<void>;
