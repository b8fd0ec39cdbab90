import { expect, test } from 'vitest';
import { type HistoryKind, historyKinds } from './history-kinds.ts';
import { historyOutcome, seen } from '../../support/history-outcome.ts';
import { HistorySteps, baseOf, collectionOf } from './history-steps.ts';
import { onBothServers } from '../../support/on-each-server.ts';
import { Randomness } from '../../support/randomness.ts';
import type { Session } from '../../support/session.ts';
import { Watcher } from '../../support/watcher.ts';

const seeds = [1, 2, 3];
const stepsOfHistory = 25;

/** One object on one server: the writes to it, and the events that a watch sends meanwhile. */
class Life {
  readonly #session: Session;
  readonly #kind: HistoryKind;
  readonly #name: string;
  readonly #path: string;
  readonly #watcher: Watcher;
  #version: unknown;

  private constructor(session: Session, kind: HistoryKind, name: string, watcher: Watcher) {
    this.#session = session;
    this.#kind = kind;
    this.#name = name;
    this.#path = collectionOf(kind, kind.apiVersions[0]!);
    this.#watcher = watcher;
  }

  static async begin(session: Session, kind: HistoryKind, name: string): Promise<Life> {
    const path = collectionOf(kind, kind.apiVersions[0]!);
    const { resourceVersion } = (await session.get(path)).body.metadata;
    const watcher = await Watcher.start(session, `${path}?watch=1&resourceVersion=${resourceVersion}`);
    return new Life(session, kind, name, watcher);
  }

  /** Sends one write. @returns the answer, the stored object after it, and whether its version is new */
  async go(send: (session: Session) => ReturnType<Session['get']>): Promise<unknown> {
    const answer = await send(this.#session);
    const stored = await this.#session.get(`${this.#path}/${this.#name}`);
    const version = stored.body.metadata?.resourceVersion;
    const isNew = this.#kind.isStoredShort || version !== this.#version;
    this.#version = version;
    return { answer: historyOutcome(answer), stored: historyOutcome(stored), isNew };
  }

  /** @returns the events that the watch sent about the object */
  async end(): Promise<unknown[]> {
    const last = `${this.#name}-end`;
    const base = baseOf(this.#kind, this.#kind.apiVersions[0]!);
    const { code, body } = await this.#session.post(this.#path, { ...base, metadata: { name: last } });
    if (code !== 201) throw new Error(JSON.stringify(body));
    const events = await this.#watcher.untilNamed(last);
    this.#watcher.stop();
    const told = events
      .filter(({ object }) => object.metadata.name === this.#name)
      .map(({ type, object }) => ({ type, text: JSON.stringify(seen(object)) }));
    if (!this.#kind.isStoredShort) return told;
    return told.filter(({ type, text }, index) => type !== 'MODIFIED' || text !== told[index - 1]?.text);
  }
}

onBothServers('random histories of built-in kinds', (servers) => {
  test.each(historyKinds.map((kind) => [kind.kind, kind] as const))(
    '%s: the same answers, objects, managers and events on both servers',
    async (_name, kind) => {
      for (const seed of seeds) {
        const name = `history-${seed}`;
        const steps = new HistorySteps(new Randomness(seed), kind, name);
        const lives = await Promise.all(servers.map(({ session }) => Life.begin(session, kind, name)));
        for (let index = 0; index < stepsOfHistory; index += 1) {
          const step = steps.next();
          const [embedded, real] = await Promise.all(
            lives.map((life) => life.go((session) => step.send(session))),
          );
          expect(embedded, `step ${index} of history ${seed}: ${step.title}`).toStrictEqual(real);
        }
        const [embedded, real] = await Promise.all(lives.map((life) => life.end()));
        expect(embedded, `events of history ${seed}`).toStrictEqual(real);
      }
    },
    60_000,
  );
});
