// Imports a package for the bundle: code from the compile cache of Node 20 cannot import (compile-cache.cjs).
module.exports = (name) => import(name);
