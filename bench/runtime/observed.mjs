// Watches the samples, and notes when the status of each says that it was reconciled.
import { createInterface } from 'node:readline';
import { SAMPLES } from './cluster.mjs';

export class Observed {
  #response;
  #seeds = new Map();
  #waiting = new Map();

  static async start(client) {
    const { metadata } = await client.read(`${SAMPLES}?limit=1`);
    const response = await client.watch(`${SAMPLES}?watch=1&resourceVersion=${metadata.resourceVersion}`);
    return new Observed(response);
  }

  constructor(response) {
    this.#response = response;
    response.on('error', () => {});
    createInterface({ input: response }).on('line', (line) => this.#take(JSON.parse(line)));
  }

  /** Resolves with the time when the status of the sample shows the seed. */
  reconciled(name, seed) {
    if (this.#seeds.get(name) === seed) return Promise.resolve(performance.now());
    return new Promise((resolve) => this.#waiting.set(name, { seed, resolve }));
  }

  stop() {
    this.#response.destroy();
  }

  #take({ object }) {
    const { name } = object.metadata;
    const observed = object.status?.observed;
    this.#seeds.set(name, observed);
    const waiting = this.#waiting.get(name);
    if (waiting?.seed !== observed || !waiting) return;
    this.#waiting.delete(name);
    waiting.resolve(performance.now());
  }
}
