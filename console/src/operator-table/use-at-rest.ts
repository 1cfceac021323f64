import { useCallback } from 'react';
import { useTabLocation } from '../navigation/tab-location.ts';

const TOP_PX = 8;

/**
 * Whether the reader only watches the list: first page, scrolled to the top, no drawer, dialog or menu open, and the pointer not on
 * a row.
 */
export function useAtRest(drawerOpen: boolean, page: number): () => boolean {
  const { scroller } = useTabLocation();
  return useCallback(() => {
    if (drawerOpen || page > 1) return false;
    if ((scroller()?.scrollTop ?? 0) > TOP_PX) return false;
    return (
      document.querySelector(
        '.ant-modal-wrap:not([style*="none"]), .ant-dropdown:not(.ant-dropdown-hidden), .ant-table-tbody:hover',
      ) === null
    );
  }, [drawerOpen, page, scroller]);
}
