import { testChanges } from './harness';

testChanges('changes.yaml');
