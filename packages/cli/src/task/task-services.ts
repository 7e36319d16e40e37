import type { SettingsFiles } from '../config/create-settings-files.js';
import type { TravelService } from '../run/say-base.js';
import type { Console } from '../screen/console.js';
import type { StoreServices } from '../store-access/with-store.js';
import type { Times } from '../time/describe-time.js';
import type { Agreements } from '../trust/agreements.js';

export interface TaskServices extends Console, StoreServices, Times {
  readonly settingsFiles: SettingsFiles;
  readonly agreements: Agreements;
  readonly userName: string;
  /** How work reaches the other machines of a shared store. */
  readonly travel: TravelService;
}
