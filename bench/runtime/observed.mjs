// Watches the samples, and notes when the status of each says that it was reconciled.
import { createInterface } from 'node:readline';
import { samplesPath } from './cluster.mjs';

/** An operator that takes longer has missed something. */
const patience = 300_000;

export class Observed {
  #response;
  #seeds = new Map();
  #waiting = new Map();

  static async start(client) {
    const { metadata } = await client.read(`${samplesPath}?limit=1`);
    const response = await client.watch(`${samplesPath}?watch=1&resourceVersion=${metadata.resourceVersion}`);
    return new Observed(response);
  }

  constructor(response) {
    this.#response = response;
    response.on('error', () => {});
    createInterface({ input: response }).on('line', (line) => this.#take(JSON.parse(line)));
  }

  /** Resolves with the time when the status of the sample shows the seed, or a later one. */
  reconciled(name, seed) {
    if (this.#seeds.get(name) >= seed) return Promise.resolve(performance.now());
    return new Promise((resolve, reject) => {
      const missed = () => reject(new Error(`${name} was not reconciled within ${patience / 1000} s`));
      const timer = setTimeout(missed, patience);
      const waiting = this.#waiting.get(name) ?? [];
      this.#waiting.set(name, [...waiting, { seed, resolve, timer }]);
    });
  }

  stop() {
    this.#response.destroy();
  }

  #take({ object }) {
    const { name } = object.metadata;
    const observed = object.status?.observed;
    this.#seeds.set(name, observed);
    const waiting = this.#waiting.get(name) ?? [];
    const isDone = ({ seed }) => observed >= seed;
    for (const { resolve, timer } of waiting.filter(isDone)) {
      clearTimeout(timer);
      resolve(performance.now());
    }
    const left = waiting.filter((each) => !isDone(each));
    if (left.length > 0) this.#waiting.set(name, left);
    else this.#waiting.delete(name);
  }
}
