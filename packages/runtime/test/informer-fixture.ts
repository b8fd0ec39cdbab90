import { afterEach } from 'vitest';
import type { InformerObserver } from '../src/cache/informer-observer.ts';
import type { CacheKindOptions } from '../src/cache/informer-options.ts';
import { Informer } from '../src/cache/informer.ts';
import { wholeCluster } from '../src/cache/namespace-feed.ts';
import { createLogger } from '../src/logging/create-logger.ts';
import type { DeepReadonly } from '../src/objects/deep-readonly.ts';
import { Transport } from '../src/transport/transport.ts';
import { eventually } from './eventually.ts';
import { type Exchange, ScriptedServer, json, status } from './scripted-server.ts';
import { Thing, thing } from './thing.ts';
import { VirtualClock } from './virtual-clock.ts';

let cleanUp: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const each of cleanUp.toReversed()) await each();
  cleanUp = [];
});

export interface Fixture {
  server: ScriptedServer;
  clock: VirtualClock;
  informer: Informer<Thing>;
  /** `added a@1`, `updated a@2`, `deleted a@2`, in the order of the calls of handlers. */
  log: string[];
  /** Its log lines of some levels, as `level: message`. */
  logged: (...levels: string[]) => string[];
  lists: () => Exchange[];
  watches: () => Exchange[];
}

const isWatch = ({ query }: Exchange): boolean => query.get('watch') === 'true';
const version = ({ metadata }: DeepReadonly<Thing>): string => `${metadata.name}@${metadata.resourceVersion}`;

/** Runs an informer against scripts for lists and watches; the last script of each is repeated. */
export async function run(scripts: {
  list?: ((exchange: Exchange) => void)[];
  watch?: ((exchange: Exchange) => void)[];
  /** Whether discovery has the kind. If undefined, discovery does not respond, as behind a proxy. */
  discovered?: boolean | undefined;
  options?: CacheKindOptions<Thing>;
  observer?: InformerObserver;
}): Promise<Fixture> {
  const lists = [...(scripts.list ?? [answerList([])])];
  const watches = [...(scripts.watch ?? [openWatch()])];
  const { discovered } = scripts;
  const server = await ScriptedServer.start((exchange) => {
    if (isDiscovery(exchange)) return answerDiscovery(exchange, discovered);
    const queue = exchange.query.get('watch') === 'true' ? watches : lists;
    const script = queue.length > 1 ? queue.shift()! : queue[0]!;
    return script(exchange);
  });
  const clock = new VirtualClock();
  const transport = new Transport({ server: server.url, clock });
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const logger = createLogger({ level: 'debug', format: 'json', stream });
  const { observer } = scripts;
  const informer = new Informer({
    transport,
    kind: Thing,
    namespaces: () => wholeCluster,
    clock,
    logger,
    observer,
  });
  informer.configure(scripts.options ?? {});
  const log: string[] = [];
  informer.addHandler({
    added: (added) => log.push(`added ${version(added)}`),
    updated: (_, updated) => log.push(`updated ${version(updated)}`),
    deleted: (deleted) => log.push(`deleted ${version(deleted)}`),
  });
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  cleanUp.push(async () => {
    stop.abort();
    await running;
    await transport.close();
    await server[Symbol.asyncDispose]();
  });
  return {
    server,
    clock,
    informer,
    log,
    logged: (...levels) =>
      lines
        .map((line) => JSON.parse(line) as { level: string; msg: string })
        .filter(({ level }) => levels.includes(level))
        .map(({ level, msg }) => `${level}: ${msg}`),
    lists: () => server.exchanges.filter((exchange) => !isWatch(exchange) && !isDiscovery(exchange)),
    watches: () => server.exchanges.filter(isWatch),
  };
}

const isDiscovery = ({ path }: Exchange): boolean => path === '/api' || path === '/apis';

function answerDiscovery({ path, response }: Exchange, discovered: boolean | undefined): void {
  if (discovered === undefined) return void response.writeHead(404).end('default backend - 404');
  const resource = { resource: Thing.plural, scope: 'Namespaced', responseKind: { kind: Thing.kind } };
  const versions = [{ version: Thing.version, resources: discovered ? [resource] : [] }];
  const items = path === '/apis' ? [{ metadata: { name: Thing.group }, versions }] : [];
  return json(response, 200, { kind: 'APIGroupDiscoveryList', items });
}

export function object(name: string, resourceVersion: number, uid: string = name): Thing {
  const made = thing(name);
  return { ...made, metadata: { ...made.metadata, uid, resourceVersion: String(resourceVersion) } };
}

export function answerList(items: Thing[], resourceVersion = 10, token?: string) {
  return ({ response }: Exchange): void => {
    json(response, 200, { metadata: { resourceVersion: String(resourceVersion), continue: token }, items });
  };
}

export function event(type: string, payload: object): string {
  return `${JSON.stringify({ type, object: payload })}\n`;
}

export const bookmark = (resourceVersion: number): string =>
  event('BOOKMARK', {
    kind: 'Thing',
    apiVersion: 'example.com/v1',
    metadata: { resourceVersion: `${resourceVersion}` },
  });

/** Sends the text and leaves the watch open, or ends it in the given way. */
export function openWatch(text = '', end: 'open' | 'finish' | 'reset' | 'cut' = 'open') {
  return ({ response }: Exchange): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    const finish = (): void => {
      if (end === 'finish') response.end();
      if (end === 'reset') response.socket?.resetAndDestroy();
      if (end === 'cut') response.socket?.destroy();
    };
    if (text === '') finish();
    else response.write(text, finish);
  };
}

export function refuse(code: number, reason: string, headers: Record<string, string> = {}) {
  return ({ response }: Exchange): void => json(response, code, status(code, reason), headers);
}

/** Waits until the reflector backs off, and lets that time pass. The deadline of a request is exactly 30 s. */
export async function passBackoff({ clock }: Fixture): Promise<number> {
  await eventually(() => clock.delays.some((delay) => delay < 30_000), 'a backoff');
  const delay = Math.min(...clock.delays);
  await clock.advance(delay);
  return delay;
}
