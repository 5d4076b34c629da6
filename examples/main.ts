// All example apps; `cdk8s synth` runs this file.
import './aks';
import './eks';
import './eks-adopted';
import './kafka-on-eks';
import './pinned-elsewhere';
import './platform';
import './tenants';
