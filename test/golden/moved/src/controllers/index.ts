// Copyright 2026 Harbor Ltd
// SPDX-License-Identifier: MIT

import type { Manager } from 'ots-runtime';
import { setupMyAppController } from './apps/my-app.controller.ts';
import { setupImagesCustomImageDeployController } from './images/custom-image-deploy.controller.ts';
// +ots:scaffold:imports

const controllers: ((manager: Manager) => void)[] = [
  setupMyAppController,
  setupImagesCustomImageDeployController,
  // +ots:scaffold:controllers
];

/** Adds every controller of this operator to its manager. `ots create api` adds to the list above. */
export function setupControllers(manager: Manager): void {
  for (const setup of controllers) setup(manager);
}
