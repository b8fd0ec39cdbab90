/** What a custom test knows. */
export interface TestInput {
  /** The URL of its module. */
  readonly module: string;
  readonly bundle: {
    /** Absolute. */
    readonly directory: string;
    readonly name: string;
    readonly package: string;
    readonly channels: readonly string[];
    /** The manifests: the first document of each file. */
    readonly objects: readonly object[];
  };
  readonly labels: Readonly<Record<string, string>>;
  /** What follows the module in the entrypoint. */
  readonly args: readonly string[];
}

/** To the process of a custom test. */
export type ToRunner =
  | { readonly type: 'run'; readonly input: TestInput }
  | { readonly type: 'cluster'; readonly id: number; readonly kubeconfig: string }
  | { readonly type: 'no-cluster'; readonly id: number; readonly problem: string };

/** From the process of a custom test. */
export type FromRunner =
  | { readonly type: 'cluster'; readonly id: number; readonly operator: boolean }
  /** What the test returned, as JSON; absent for nothing. */
  | { readonly type: 'returned'; readonly json?: string }
  /** The test threw. */
  | { readonly type: 'failed'; readonly problem: string }
  /** The module cannot be loaded, or is not a test. */
  | { readonly type: 'broken'; readonly problem: string };
