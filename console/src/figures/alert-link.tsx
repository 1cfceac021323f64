import { ALERT_SUBJECTS, ALERTS, type AlertKind } from '@sangam/contract/alerts.ts';
import { subjectScreen } from '@sangam/contract/alert-screens.ts';
import { useTabLocation, withParam } from '../navigation/tab-location.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { useViewer } from '../session/viewer.ts';
import { TextButton } from './text-button.tsx';

interface AlertLinkProps {
  readonly alert: { readonly kind: AlertKind; readonly subject: string; readonly text: string };
  /** What to show: the subject, or the title of its screen. */
  readonly by: 'subject' | 'title';
}

/** A link to what an alert is about, on the variant of the screen that the viewer has; the subject as text where there is none. */
export function AlertLink({ alert: { kind, subject, text }, by }: AlertLinkProps) {
  const { openTab } = useTabLocation();
  const title = useTitles();
  const { access } = useViewer();
  const { opens } = ALERT_SUBJECTS[ALERTS[kind].subject];
  const screen = subjectScreen(access, kind);
  if (!screen) return <>{subject}</>;
  const shown = by === 'title' ? title(screen) : subject;
  const change = opens ? withParam('open', subject) : undefined;
  return (
    <TextButton text={shown} label={`${text} · ${shown}`} onClick={() => openTab(screen.path, change)} />
  );
}
