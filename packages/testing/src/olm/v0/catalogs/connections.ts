import type { Catalog } from '../../content/catalog.ts';

/** A CatalogSource. */
export interface CatalogKey {
  readonly namespace: string;
  readonly name: string;
}

/** The catalogs that OLM is connected to. */
export class Connections {
  readonly #catalogs = new Map<string, Catalog>();

  /** Connects to a catalog, or ends the connection. */
  set(key: CatalogKey, catalog: Catalog | undefined): void {
    if (catalog) this.#catalogs.set(textOf(key), catalog);
    else this.#catalogs.delete(textOf(key));
  }

  /** The catalog; undefined if OLM is not connected to it. */
  get(key: CatalogKey): Catalog | undefined {
    return this.#catalogs.get(textOf(key));
  }
}

const textOf = ({ namespace, name }: CatalogKey): string => `${namespace}/${name}`;
