import { useTranslation } from 'react-i18next';
import type { Screen } from '@sangam/contract/screens.ts';
import { useNames } from '../language/names.ts';
import type { Place } from './place.ts';

/** A screen is called after its area; where an area has several screens for one role, after its path. */
export function useTitles(): (screen: Screen) => string {
  const { i18n } = useTranslation();
  const name = useNames();
  return (screen) =>
    i18n.exists(`titles.${screen.path}`) ? name('titles', screen.path) : name('areas', screen.area);
}

/** An order in a tab of its own is called after its code. */
export function usePlaceTitles(): (place: Place) => string {
  const { t } = useTranslation();
  const title = useTitles();
  return ({ screen, orderCode }) =>
    orderCode === undefined ? title(screen) : t('orders.drawer', { orderCode });
}
