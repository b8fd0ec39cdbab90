import { type Client, isAlreadyExists, isNotFound } from '../../src/index.ts';
import { Thing, thing } from '../thing.ts';
import { pick, type Random } from './random.ts';

/** Characters of one, two, three and four bytes, and characters that JSON escapes. */
const texts = ['plain', 'grün', '日本語', '🚢🚢', 'a\nb\t"c"\\', '\u2028'];

/** A client that keeps changing objects, over a direct connection to the server. */
export class Churn {
  readonly names: readonly string[];
  readonly #client: Client;
  readonly #namespace: string;
  readonly #random: Random;
  changes = 0;

  constructor(client: Client, namespace: string, random: Random, count = 25) {
    this.#client = client;
    this.#namespace = namespace;
    this.#random = random;
    this.names = Array.from({ length: count }, (_, index) => `thing-${index}`);
  }

  /** Creates all objects. */
  async fill(): Promise<void> {
    await Promise.all(this.names.map((name) => this.create(name)));
  }

  /** Deletes all objects. */
  async clear(): Promise<void> {
    await this.#client.deleteCollection(Thing, { namespace: this.#namespace });
  }

  /** Makes `count` changes, some of them in parallel. */
  async run(count: number, atATime = 4): Promise<void> {
    let left = count;
    const work = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await this.change();
      }
    };
    await Promise.all(Array.from({ length: atATime }, work));
  }

  /** Makes one change: of a random kind, to a random object. */
  async change(): Promise<void> {
    const name = pick(this.names, this.#random);
    const kind = this.#random();
    this.changes += 1;
    if (kind < 0.6) await this.#resize(name);
    else if (kind < 0.75) await this.#delete(name);
    else if (kind < 0.9) await this.create(name);
    else await this.recreate(name);
  }

  async create(name: string): Promise<void> {
    const made = thing(name, this.#size());
    made.metadata.namespace = this.#namespace;
    made.spec.text = pick(texts, this.#random);
    await this.#client.create(Thing, made).catch(unless(isAlreadyExists));
  }

  /** Replaces an object by another one with the same name. */
  async recreate(name: string): Promise<void> {
    await this.#delete(name);
    await this.create(name);
  }

  async #resize(name: string): Promise<void> {
    const spec = { size: this.#size(), text: pick(texts, this.#random) };
    await this.#client.patch(Thing, this.#key(name), { spec }).catch(unless(isNotFound));
  }

  async #delete(name: string): Promise<void> {
    await this.#client.delete(Thing, this.#key(name)).catch(unless(isNotFound));
  }

  #size(): number {
    return Math.floor(this.#random() * 1000);
  }

  #key(name: string): { name: string; namespace: string } {
    return { name, namespace: this.#namespace };
  }
}

/** Ignores an expected error: two changes of one object may collide. */
function unless(isExpected: (error: unknown) => boolean) {
  return (error: unknown): undefined => {
    if (!isExpected(error)) throw error;
  };
}
