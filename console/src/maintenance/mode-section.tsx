import { LOCALES, type Locale } from '@sangam/contract/locale.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { type Fact, Facts, NothingYet, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import { LANGUAGE_NAMES } from '../language/choice.ts';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';

const USUAL_MINUTES = 30;

/** Maintenance mode: on, announced or off. */
export function ModeSection() {
  const { t } = useTranslation();
  const send = useSend(endpoints.maintenance.getMaintenanceMode);
  const mode = useCall(endpoints.maintenance.getMaintenanceMode, {}, { everyMs: 5_000 }).data?.mode;
  const [dialog, setDialog] = useState<'begin' | 'end'>();
  return (
    <Section
      title={t('maintenance.mode')}
      extra={
        mode ? (
          <Button onClick={() => setDialog('end')}>{t('maintenance.end')}</Button>
        ) : (
          <Button onClick={() => setDialog('begin')}>{t('maintenance.begin')}</Button>
        )
      }
    >
      {!mode && <NothingYet text={t('maintenance.modeOff')} />}
      {mode && (
        <Facts
          facts={[
            [
              t('maintenance.state'),
              <Status tone="warning" label={t(mode.on ? 'maintenance.modeOn' : 'maintenance.announced')} />,
            ],
            [t('maintenance.beginsAt'), <Moment time={mode.beginTime} exact />],
            [t('maintenance.endsAt'), <Moment time={mode.endTime} exact />],
            [t('people.account'), mode.account],
            ...LOCALES.map((locale): Fact => [LANGUAGE_NAMES[locale], mode.texts[locale]]),
          ]}
        />
      )}
      {dialog === 'begin' && <BeginDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'end' && (
        <FormDialog
          title={t('maintenance.end')}
          fields={[{ name: 'reason', label: t('fund.reason'), kind: 'text', maxLength: 256, required: true }]}
          consequence={t('maintenance.endText')}
          okText={t('maintenance.end')}
          onSubmit={async ({ reason }) => {
            await send(
              endpoints.maintenance.endMaintenanceMode,
              { reason: String(reason) },
              t('people.saved'),
            );
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Section>
  );
}

function BeginDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const send = useSend(endpoints.maintenance.getMaintenanceMode);
  return (
    <FormDialog
      title={t('maintenance.begin')}
      fields={[
        {
          name: 'beginsInMinutes',
          label: t('maintenance.beginsIn'),
          kind: 'whole',
          min: 0,
          max: 1440,
          required: true,
          initial: 0,
        },
        {
          name: 'minutes',
          label: t('maintenance.lasts'),
          kind: 'whole',
          min: 1,
          max: 1440,
          required: true,
          initial: USUAL_MINUTES,
        },
        ...LOCALES.map((locale) => ({
          name: locale,
          label: LANGUAGE_NAMES[locale],
          kind: 'text' as const,
          required: true,
          maxLength: 300,
          initial: t(`maintenance.usualText.${locale}`),
        })),
        { name: 'reason', label: t('fund.reason'), kind: 'text', maxLength: 256, required: true },
      ]}
      consequence={t('maintenance.beginText')}
      okText={t('maintenance.begin')}
      danger
      onSubmit={async ({ beginsInMinutes, minutes, reason, ...texts }) => {
        await send(
          endpoints.maintenance.setMaintenanceMode,
          {
            beginsInMinutes: Number(beginsInMinutes),
            minutes: Number(minutes),
            texts: texts as Record<Locale, string>,
            reason: String(reason),
          },
          t('people.saved'),
        );
      }}
      onClose={onClose}
    />
  );
}
