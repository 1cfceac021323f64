import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { NothingYet, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { useCall } from '../http/use-call.ts';

/** People who wrote in a group of the white list and may not instruct its bot, with a count. */
export function UnknownSenders() {
  const { t } = useTranslation();
  const { data } = useCall(endpoints.bot.getUnknownSenders, { pageSize: 100 }, { everyMs: 5_000 });
  if (!data) return null;
  return (
    <Section title={t('botScreens.unknownSenders')}>
      {data.list.length === 0 ? (
        <NothingYet text={t('botScreens.noUnknownSenders')} />
      ) : (
        <PlainTable
          rows={data.list}
          keyOf={({ id }) => id}
          columns={[
            { title: t('botScreens.bot'), cell: ({ bot }) => t(`botScreens.bots.${bot}`) },
            { title: t('botScreens.title'), cell: ({ groupTitle }) => groupTitle },
            { title: t('botScreens.sender'), cell: ({ name }) => name },
            { title: t('botScreens.senderId'), cell: ({ senderId }) => senderId },
            { title: t('botScreens.times'), right: true, cell: ({ count }) => count },
            { title: t('botScreens.lastTime'), cell: ({ lastTime }) => <Moment time={lastTime} /> },
          ]}
        />
      )}
    </Section>
  );
}
