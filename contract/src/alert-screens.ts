import { ALERT_SUBJECTS, type AlertKind, ALERTS } from './alerts.ts';
import type { Role } from './roles.ts';
import { mayOpen, type Screen, SCREENS } from './screens.ts';

/** The console's screen for what such an alert is about, in the variant that the role may open. */
export function subjectScreen(role: Role, kind: AlertKind): Screen | undefined {
  const { path } = ALERT_SUBJECTS[ALERTS[kind].subject];
  return SCREENS.find(
    (each) => (each.path === path || each.path.startsWith(`${path}/`)) && mayOpen(role, each),
  );
}
