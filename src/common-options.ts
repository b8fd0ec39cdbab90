/** Flags that every command has. */
export interface CommonOptions {
  cwd?: string;
  dryRun?: boolean;
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
}
