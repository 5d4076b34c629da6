import type { ControllerDefinition } from '../rules/controller-definition';
import { gatewayMakerEdits, isGateway } from './gateway-maker';
import { isKafka, kafkaMakerEdits } from './kafka-maker';
import type { ReportedService } from './later';
import type { MakerEdit, MakerSide } from './maker-edit';

/**
 * What edits of what a Service is made of do to its balancer; nothing of Services that are written as they are.
 *
 * @param service the Service on one side
 * @param before the older side
 * @param after the newer side
 * @param owner who makes the balancer, where that is known
 */
export function makerEdits(
  { object, madeOf }: ReportedService,
  before: MakerSide,
  after: MakerSide,
  owner?: ControllerDefinition,
): readonly MakerEdit[] {
  if (madeOf === undefined) {
    return [];
  }
  if (isKafka(madeOf.object)) {
    return kafkaMakerEdits(madeOf.object, object, before, after, owner);
  }
  return isGateway(madeOf.object) ? gatewayMakerEdits(madeOf.object, before, after, owner) : [];
}
