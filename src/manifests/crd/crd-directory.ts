/** Where the definitions of a project are, by convention of kubebuilder. */
export const CRD_DIR = 'config/crd/bases';
