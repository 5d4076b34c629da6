// All example apps; `cdk8s synth` runs this file.
import './aks';
import './eks';
import './eks-adopted';
import './pinned-elsewhere';
