import { sleep } from 'ots-apimachinery/clock/sleep';
import { errorMessage } from '../errors/error-message.ts';
import { ConnectionConfigError } from '../kubeconfig/connection-config.ts';
import { connectionOf } from '../kubeconfig/connection-of.ts';
import { readKubeconfigs } from '../kubeconfig/read-kubeconfigs.ts';
import type { ClusterProvider, ClusterSet } from './cluster-provider.ts';

/** Which contexts are clusters. */
export interface KubeconfigContextsOptions {
  /** The kubeconfig. The operator runs its credential plugins, so it must be as trusted as the operator itself. */
  file: string;
  /** Matches the names of the contexts; all by default. */
  contexts?: RegExp | undefined;
}

/** How often the file is read again, in milliseconds: a mounted Secret takes a minute to change. */
const interval = 10_000;

/**
 * Each context of a kubeconfig is a cluster, with the name of the context. The file is read again every 10 seconds: contexts that
 * come and go there join and leave.
 */
export function kubeconfigContexts({ file, contexts }: KubeconfigContextsOptions): ClusterProvider {
  return {
    async *clusters({ signal, clock, logger }) {
      // Only here an error ends the manager: later the file may be half written.
      yield await read(file, contexts);
      let complaint: string | undefined;
      for (;;) {
        await sleep(clock, interval, signal);
        if (signal.aborted) return;
        const set = await read(file, contexts).catch((error: unknown) => errorMessage(error));
        if (typeof set !== 'string') yield set;
        else if (set !== complaint)
          logger.error({ problem: set }, 'the kubeconfig cannot be read; its clusters stay as they are');
        complaint = typeof set === 'string' ? set : undefined;
      }
    },
  };
}

/** @throws {ConnectionConfigError} if the file cannot be read. */
async function read(file: string, contexts: RegExp = /^/): Promise<ClusterSet> {
  const kubeconfig = await readKubeconfigs([file]);
  const names = [...kubeconfig.contexts.keys()].filter((name) => name.search(contexts) >= 0);
  const entries = names.map(async (name) => {
    const connection = await connectionOf(kubeconfig, name).catch((error: unknown) => {
      if (error instanceof ConnectionConfigError) return error;
      throw error;
    });
    return [name, connection] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
