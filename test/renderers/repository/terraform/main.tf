resource "aws_eks_cluster" "prod" {
  name    = "prod"
  version = "1.36"
}
