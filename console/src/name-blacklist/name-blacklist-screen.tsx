import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { useTabLocation, withParam } from '../navigation/tab-location.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { EntriesList } from './entries-list.tsx';
import { HitsList } from './hits-list.tsx';

type Part = 'hits' | 'near' | 'entries';

/** The name blacklist: names that may not pay, be paid, or be a merchant or supplier. Its parts: hits, near matches, and the lists. */
export function NameBlacklistScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles()(screen);
  const { search, setSearch } = useTabLocation();
  const shown = new URLSearchParams(search).get('part');
  const part: Part = shown === 'near' || shown === 'entries' ? shown : 'hits';
  const parts = (
    <Segmented<Part>
      aria-label={t('nameBlacklist.part')}
      value={part}
      options={(['hits', 'near', 'entries'] as const).map((value) => ({
        value,
        label: t(`nameBlacklist.parts.${value}`),
      }))}
      // Each part has its own filters.
      onChange={(value) => setSearch(() => withParam('part', value)(''))}
    />
  );
  return part === 'entries' ? (
    <EntriesList title={title} parts={parts} />
  ) : (
    <HitsList key={part} title={title} parts={parts} isNear={part === 'near'} />
  );
}
