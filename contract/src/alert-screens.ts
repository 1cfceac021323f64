import { ALERT_SUBJECTS, type AlertKind, ALERTS } from './alerts.ts';
import type { Role } from './roles.ts';
import { type Screen, variantFor } from './screens.ts';

/** The console's screen for what such an alert is about, in the variant that the role may open. */
export function subjectScreen(role: Role, kind: AlertKind): Screen | undefined {
  return variantFor(role, ALERT_SUBJECTS[ALERTS[kind].subject].path);
}
