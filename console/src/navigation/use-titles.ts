import { useTranslation } from 'react-i18next';
import type { Screen } from '@sangam/contract/screens.ts';
import { useNames } from '../language/names.ts';
import type { Place } from './place.ts';

/** The title of a screen: the name of its area. Where an area has several screens for one role: the name of its path. */
export function useTitles(): (screen: Screen) => string {
  const { i18n } = useTranslation();
  const name = useNames();
  return (screen) =>
    i18n.exists(`titles.${screen.path}`) ? name('titles', screen.path) : name('areas', screen.area);
}

/** The title of a place. A tab with a single order has the order's code as title. */
export function usePlaceTitles(): (place: Place) => string {
  const { t } = useTranslation();
  const title = useTitles();
  return ({ screen, orderCode }) =>
    orderCode === undefined ? title(screen) : t('orders.drawer', { orderCode });
}
