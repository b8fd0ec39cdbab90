import type { Context } from '../../context.ts';
import { type ObjectReference, objectName } from '../../deploy/object-name.ts';
import type { ObjectAction, ObjectDetails, Progress } from '../../deploy/progress.ts';
import { oneLine } from '../../output/one-line.ts';
import { paint, paintDiff } from '../../output/paint.ts';
import type { ReportOptions } from '../../output/report-plan.ts';

/** What a command did in a cluster, for programs. */
export interface ClusterReport {
  readonly command: string;
  /** Null for a kubeconfig without contexts, or in a pod. */
  readonly context: string | null;
  readonly server: string;
  readonly dryRun: boolean;
  readonly objects: readonly (ObjectReference & ObjectDetails & { readonly action: ObjectAction })[];
}

const styles = {
  created: 'green',
  configured: 'yellow',
  unchanged: 'dim',
  deleted: 'red',
  pruned: 'red',
  kept: 'cyan',
} as const;

/** Prints a line for each object while the command works, or with --json one document at the end. */
export class ObjectsReport implements Progress {
  readonly objects: (ObjectReference & ObjectDetails & { action: ObjectAction })[] = [];
  readonly #options: ReportOptions;
  readonly #context: Context;
  /** Whether the command has deleted what it had created, because it failed. */
  isUndone = false;
  /** What to say if a signal ends the command. Default: how many objects have changed. */
  interruption: string | undefined;
  #waitsFor = '';

  constructor(options: ReportOptions, context: Context) {
    this.#options = options;
    this.#context = context;
  }

  object(reference: ObjectReference, action: ObjectAction, details: ObjectDetails = {}): void {
    const { apiVersion, kind, namespace, name } = reference;
    this.objects.push({
      apiVersion,
      kind,
      ...(namespace !== undefined && { namespace }),
      name,
      action,
      ...details,
    });
    const dryRun = this.#options.dryRun ? ' (dry run)' : '';
    const reason = details.reason === undefined ? '' : `: ${oneLine(details.reason)}`;
    this.line(
      `${objectName(reference)} ${paint(this.#context, 'stdout', styles[action], action)}${dryRun}${reason}`,
    );
    if (details.diff !== undefined) this.#write(paintDiff(this.#context, details.diff));
  }

  waiting(text: string): void {
    if (text === this.#waitsFor) return;
    this.#waitsFor = text;
    this.line(`waiting for ${oneLine(text)}`);
  }

  /** Prints a line for people. */
  line(text: string): void {
    this.#write(`${text}\n`);
  }

  /** Ends the report. @param document for `--json` */
  finish(document: ClusterReport): void {
    if (this.#options.json) this.#context.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  }

  #write(text: string): void {
    if (!this.#options.json && !this.#options.quiet) this.#context.stdout.write(text);
  }
}
