import type { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import { newestDefault } from '../../newest-default.ts';
import type { StrategyContext } from '../../strategy-factory.ts';

const betaAnnotation = 'volume.beta.kubernetes.io/storage-class';
const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** Looks up the storage classes of the cluster for claims. */
export class StorageClasses {
  readonly #context: StrategyContext;

  constructor(context: StrategyContext) {
    this.#context = context;
  }

  /** The class of a claim that names none: the youngest of the default classes, then the first by name. */
  defaultFor({ metadata, spec }: PersistentVolumeClaim): string | undefined {
    if (spec?.storageClassName !== undefined || metadata.annotations?.[betaAnnotation] !== undefined)
      return undefined;
    return newestDefault(this.#table()?.list() ?? [], defaultAnnotations);
  }

  /** Whether volumes of a class can be expanded. */
  canExpand(name: string): boolean {
    return this.#table()?.get(name)?.object['allowVolumeExpansion'] === true;
  }

  /** The class that a claim names. */
  static of({ metadata, spec }: PersistentVolumeClaim): string {
    return metadata.annotations?.[betaAnnotation] ?? spec?.storageClassName ?? '';
  }

  #table() {
    return this.#context.tableOf('storage.k8s.io/storageclasses');
  }
}
