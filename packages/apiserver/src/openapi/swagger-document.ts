import { kubernetesVersion } from 'ots-apimachinery/kubernetes-version';
import type { JsonObject } from '../json/json-object.ts';
import type { Resource } from '../registry/resource.ts';
import { defineResources } from './define-resources.ts';
import { patchPaths } from './patch-operation.ts';

const { major, minor } = kubernetesVersion;

/** The part of a document about some resources, as the JSON text of the members of its objects: `"a":1,"b":2`. */
interface Part {
  paths: string;
  definitions: string;
  /** The names of the definitions. */
  names: ReadonlySet<string>;
}

const nothing: Part = { paths: '', definitions: '', names: new Set() };

/** The OpenAPI 2 document of all served resources. The part about built-in resources is computed once. */
export class SwaggerDocument {
  #builtIn: Part | undefined;

  /** @returns the document as JSON text */
  write(resources: readonly Resource[]): string {
    this.#builtIn ??= partOf(
      resources.filter(({ custom }) => !custom),
      nothing,
    );
    const custom = partOf(
      resources.filter((resource) => resource.custom),
      this.#builtIn,
    );
    const info = { title: 'Kubernetes', version: `${major}.${minor}` };
    const head = JSON.stringify({ swagger: '2.0', info });
    const paths = joined(this.#builtIn.paths, custom.paths);
    const definitions = joined(this.#builtIn.definitions, custom.definitions);
    return `${head.slice(0, -1)},"paths":{${paths}},"definitions":{${definitions}}}`;
  }
}

/** @param rest the other members of the document */
function partOf(resources: readonly Resource[], rest: Part): Part {
  const definitions = Object.entries(defineResources(resources, 2)).filter(([name]) => !rest.names.has(name));
  return {
    paths: membersOf(patchPaths(resources, 2)),
    definitions: membersOf(Object.fromEntries(definitions)),
    names: new Set(definitions.map(([name]) => name)),
  };
}

function membersOf(object: JsonObject): string {
  return JSON.stringify(object).slice(1, -1);
}

function joined(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(',');
}
