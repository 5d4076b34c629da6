import { testChanges } from './harness';

testChanges('cluster-changes.yaml');
