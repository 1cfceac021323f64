import { z } from 'zod';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { text } from '../fields.ts';
import { SETTINGS, SETTING_NAMES, type Setting, type SettingName } from '../settings.ts';

export interface SettingEndpoints {
  readonly name: SettingName;
  readonly read: Endpoint;
  readonly write: Endpoint;
}

function endpointsOf(name: SettingName): SettingEndpoints {
  const { kind, schema, mask }: Setting = SETTINGS[name];
  const shape = z.object({ [kind === 'flag' ? 'enable' : 'value']: schema });
  // For a secret, only a part is shown.
  const shown = mask === undefined ? shape : z.object({ value: z.string() });
  // The console always asks for the reason. The server takes a body without it, as it is promised (promised-calls.ts).
  const change = shape.extend({ reason: text(256).optional() });
  const path = `/v1.0/system-config/${name}`;
  return {
    name,
    read: endpoint({
      method: 'GET',
      path,
      summary: `Setting ${name}`,
      access: ['superAdmin', 'technicalMaintenance'],
      input: z.object({}),
      output: shown,
    }),
    write: endpoint({
      method: 'POST',
      path,
      summary: `Change the setting ${name}; outside its range nothing changes; what weakens a protection waits for a second person`,
      access: ['superAdmin'],
      sensitive: true,
      input: change,
      output: shown,
    }),
  };
}

/** GET and POST of every setting, made from the one table of settings. */
export const SETTING_ENDPOINTS: readonly SettingEndpoints[] = SETTING_NAMES.map(endpointsOf);
