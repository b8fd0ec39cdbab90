/** Where the definitions of a project are, by convention of kubebuilder. */
export const crdDir = 'config/crd/bases';
