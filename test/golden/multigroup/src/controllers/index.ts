// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import type { Manager } from 'ots-runtime';
import { setupCrewCaptainController } from './crew/captain.controller.ts';
import { setupSeaCreaturesKrakenController } from './sea-creatures/kraken.controller.ts';
import { setupAppsDeploymentController } from './apps/deployment.controller.ts';
import { setupCertManagerCertificateController } from './cert-manager/certificate.controller.ts';
// +ots:scaffold:imports

const controllers: ((manager: Manager) => void)[] = [
  setupCrewCaptainController,
  setupSeaCreaturesKrakenController,
  setupAppsDeploymentController,
  setupCertManagerCertificateController,
  // +ots:scaffold:controllers
];

/** Adds every controller of this operator to its manager. `ots create api` adds to the list above. */
export function setupControllers(manager: Manager): void {
  for (const setup of controllers) setup(manager);
}
